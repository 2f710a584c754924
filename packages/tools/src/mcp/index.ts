export { createMcpServer, DATA_KEY } from './create-mcp-server.ts'
export type { McpServerOptions, McpServing } from './serving.ts'

export { createMcpServer } from './create-mcp-server.ts'
export type { McpServerOptions, McpServing } from './serving.ts'

import { McpServer } from '@modelcontextprotocol/server'

/** A server without tools, for switched-off memory: clients connect and learn why there are no tools. */
export function createSwitchedOffServer(version: string, switchedOffBy: string): McpServer {
  const info = { name: 'mnemark', title: 'Mnemark memory', version }
  return new McpServer(info, {
    instructions: `The memory is switched off by ${switchedOffBy} in the configuration: there are no tools.`,
    capabilities: { tools: {} },
  })
}

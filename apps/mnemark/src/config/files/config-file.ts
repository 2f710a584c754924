/** The name of a configuration file, in a workspace and in the user's configuration folder. */
export const CONFIG_FILE = 'mnemark.json5'

import type { Connection } from './connection.ts'

export function readSetting(connection: Connection, key: string): string | undefined {
  return connection.value<string>('SELECT value FROM settings WHERE key = ?', key)
}

export function writeSetting(connection: Connection, key: string, value: string): void {
  connection.run('INSERT OR REPLACE INTO settings (key, value) VALUES (?, ?)', key, value)
}

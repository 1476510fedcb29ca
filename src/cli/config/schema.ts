import { tenantConfigSchema } from '../../api/tenant-config/json-schema.ts'
import type { Terminal } from '../terminal/terminal.ts'

export function printSchema(terminal: Terminal): void {
  terminal.stdout.write(`${JSON.stringify(tenantConfigSchema(), null, 2)}\n`)
}

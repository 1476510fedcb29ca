import { tenantConfigSchema } from '../../api/tenant-config/json-schema.ts'
import { jsonText } from '../../base/json/json-text.ts'
import { print } from '../output/print.ts'
import type { Terminal } from '../terminal/terminal.ts'

export function printSchema(terminal: Terminal): void {
  print(terminal, jsonText(tenantConfigSchema()))
}

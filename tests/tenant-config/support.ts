import { ownConfig, parseTenantConfig } from '../../src/api/tenant-config/parse.ts'
import type { Problem } from '../../src/api/tenant-config/problem.ts'

export function problemsOf(text: string): readonly Problem[] {
  const parsed = parseTenantConfig(text, 'tenant.yaml', ownConfig)
  return 'problems' in parsed ? parsed.problems : []
}

export function warningsOf(text: string): readonly Problem[] {
  const parsed = parseTenantConfig(text, 'tenant.yaml', ownConfig)
  return 'warnings' in parsed ? parsed.warnings : []
}

/** `line:column+length message (suggestion)`. */
export function brief({ line, column, length, message, suggestion }: Problem): string {
  return `${line}:${column}+${length} ${message}${suggestion === undefined ? '' : ` (${suggestion})`}`
}

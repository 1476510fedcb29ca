import { join, resolve } from 'node:path'
import { UsageError } from '../../base/usage-error.ts'
import type { AuditOptions } from '../../platform/audit/audit.ts'
import type { AuditOnFailure } from '../../platform/audit/unwritten.ts'
import { readInputText } from '../terminal/read-text.ts'
import type { Terminal } from '../terminal/terminal.ts'

export interface AuditFlags {
  readonly auditLog?: string
  readonly auditPolicy?: string
  readonly auditOnFailure: AuditOnFailure
}

/** Where requests are recorded, and which. Undefined: nowhere. */
export async function auditOptions(
  { auditLog, auditPolicy, auditOnFailure: onFailure }: AuditFlags,
  directory: string,
  terminal: Terminal,
): Promise<AuditOptions | undefined> {
  if (auditLog === '-') return undefined
  const file = resolve(auditLog ?? join(directory, 'audit.log'))
  return auditPolicy === undefined
    ? { file, onFailure }
    : { file, onFailure, policy: await policyIn(auditPolicy, terminal) }
}

async function policyIn(file: string, terminal: Terminal): Promise<NonNullable<AuditOptions['policy']>> {
  const [{ parseYaml }, { readAuditPolicy }] = await Promise.all([
    import('../../base/json/yaml.ts'),
    import('../../platform/audit/read-policy.ts'),
  ])
  const { text, name } = await readInputText(file, terminal)
  try {
    return readAuditPolicy(parseYaml(text).value)
  } catch (error) {
    throw new UsageError(`cannot use ${name} as audit policy: ${error instanceof Error ? error.message : error}`)
  }
}

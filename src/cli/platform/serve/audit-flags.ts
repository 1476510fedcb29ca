import { join, resolve } from 'node:path'
import { errorText } from '../../../base/error-text.ts'
import { systemRandom } from '../../../base/random.ts'
import { UsageError } from '../../../base/usage-error.ts'
import type { AuditOptions } from '../../../platform/audit/audit.ts'
import type { AuditOnFailure } from '../../../platform/audit/unwritten.ts'
import { readInputText } from '../../terminal/read-text.ts'
import type { Terminal } from '../../terminal/terminal.ts'

export interface AuditFlags {
  readonly auditLog?: string
  readonly auditPolicy?: string
  readonly auditOnFailure: AuditOnFailure
  readonly auditWebhookConfigFile?: string
}

/** Where requests are recorded, and which ones. Undefined: nowhere. */
export async function auditOptions(
  { auditLog, auditPolicy, auditOnFailure: onFailure, auditWebhookConfigFile }: AuditFlags,
  directory: string,
  terminal: Terminal,
): Promise<AuditOptions | undefined> {
  if (auditLog === '-') {
    if (auditWebhookConfigFile === undefined) return undefined
    throw new UsageError('--audit-webhook-config-file requires the audit log: do not turn it off')
  }
  const file = resolve(auditLog ?? join(directory, 'audit.log'))
  return {
    file,
    onFailure,
    ...(auditPolicy !== undefined && { policy: await policyIn(auditPolicy, terminal) }),
    ...(auditWebhookConfigFile !== undefined && { webhook: await webhookIn(auditWebhookConfigFile, terminal) }),
  }
}

async function webhookIn(file: string, { env }: Terminal): Promise<NonNullable<AuditOptions['webhook']>> {
  const { auditWebhookServer } = await import('../../../platform/audit/webhook/webhook-server.ts')
  try {
    return await auditWebhookServer(file, env, systemRandom)
  } catch (error) {
    throw new UsageError(`cannot use ${file} as audit webhook: ${errorText(error)}`)
  }
}

async function policyIn(file: string, terminal: Terminal): Promise<NonNullable<AuditOptions['policy']>> {
  const [{ parseYaml }, { readAuditPolicy }] = await Promise.all([
    import('../../../base/json/yaml.ts'),
    import('../../../platform/audit/read-policy.ts'),
  ])
  const { text, name } = await readInputText(file, terminal)
  try {
    return readAuditPolicy(parseYaml(text).value)
  } catch (error) {
    throw new UsageError(`cannot use ${name} as audit policy: ${errorText(error)}`)
  }
}

import { Option } from 'commander'
import type { AuditOnFailure } from '../../platform/audit/unwritten.ts'

export type { AuditOnFailure } from '../../platform/audit/unwritten.ts'

const choices: readonly AuditOnFailure[] = ['refuse', 'continue']

export function auditOnFailureOption(): Option {
  const text =
    'what happens while the audit log cannot be written: refuse requests that must be audited, or continue without audit records'
  return new Option('--audit-on-failure <what>', text).choices(choices).default('refuse')
}

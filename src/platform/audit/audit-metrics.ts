import type { AuditWebhook } from './webhook/audit-webhook.ts'

export interface AuditNumbers {
  readonly isFailing: boolean
  readonly lostLines: number
  readonly writtenLines: number
  readonly webhook: AuditWebhook['counts'] | undefined
}

const noWebhook: AuditWebhook['counts'] = { queued: 0, sent: 0, dropped: 0, failures: 0 }

export function auditMetrics({ isFailing, lostLines, writtenLines, webhook = noWebhook }: AuditNumbers): string {
  const hook = 'tenant_audit_webhook'
  return [
    ...metric('tenant_audit_failing', 'gauge', 'Whether the audit log cannot be written.', isFailing ? 1 : 0),
    ...metric('tenant_audit_lost_lines_total', 'counter', 'Lines that the audit log could not be given.', lostLines),
    ...metric(
      'tenant_audit_sequence',
      'gauge',
      'The number of the last line in the chain of the audit log.',
      writtenLines,
    ),
    ...metric(`${hook}_queued_lines`, 'gauge', 'Lines that wait to be sent to the webhook.', webhook.queued),
    ...metric(`${hook}_sent_lines_total`, 'counter', 'Lines that the webhook has taken.', webhook.sent),
    ...metric(`${hook}_dropped_lines_total`, 'counter', 'Lines that were not sent: too many waited.', webhook.dropped),
    ...metric(`${hook}_failures_total`, 'counter', 'Attempts to send lines that failed.', webhook.failures),
    '',
  ].join('\n')
}

function metric(name: string, type: 'gauge' | 'counter', help: string, value: number): readonly string[] {
  return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, `${name} ${value}`]
}

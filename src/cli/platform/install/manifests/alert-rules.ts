/** A rule of Prometheus. */
export interface AlertRule {
  readonly alert: string
  readonly expr: string
  readonly for: string
  readonly labels: { readonly severity: 'warning' | 'critical' }
  readonly annotations: { readonly summary: string; readonly description: string }
}

export interface AlertGroup {
  readonly name: string
  readonly rules: readonly AlertRule[]
}

const ours = 'and on (instance) tenant_store_full'
const answered = 'sum by (instance) (rate(apiserver_request_total[5m]))'
const failed = 'sum by (instance) (rate(apiserver_request_total{code=~"5.."}[5m]))'
const durations = 'rate(apiserver_request_duration_seconds_bucket{verb!="watch"}[5m])'
const slowest = `histogram_quantile(0.99, sum by (instance, le) (${durations}))`
const refused = 'sum by (instance, priority_level) (rate(apiserver_flowcontrol_rejected_requests_total[5m]))'
const erring = 'sum by (instance, controller) (rate(controller_runtime_reconcile_total{result="error"}[10m]))'
const hookErrors = 'rate(apiserver_admission_webhook_rejection_count{error_type!="no_error"}[5m])'
const brokenHooks = `sum by (instance, name) (${hookErrors})`

/**
 * What alerts an operator. Other servers use some of the same metric names: where rules could match others, they
 * require servers that have a metric of ours.
 */
export const alertGroups: readonly AlertGroup[] = [
  {
    name: 'tenant-requests',
    rules: [
      warning('TenantRequestsFail', `${failed} / ${answered} > 0.05 ${ours}`, '5m', [
        'More than 5 % of the requests fail.',
        'Look at the log of the server, and which verbs and resources have codes of 5xx.',
      ]),
      warning('TenantRequestsAreSlow', `${slowest} > 1 ${ours}`, '10m', [
        'One of a hundred requests takes more than a second.',
        'Look at the lag of the event loop, the CPU time and the disk or etcd under the store.',
      ]),
      warning('TenantRequestsAreRefused', `${refused} > 0 ${ours}`, '10m', [
        'Callers get 429, because they ask for more than there is.',
        'The audit log says whose requests these are.',
      ]),
      warning('TenantServerIsBusy', `nodejs_eventloop_lag_p99_seconds > 0.25 ${ours}`, '10m', [
        'Requests wait because the server does something that takes long.',
        'Look for large lists, many writes and a machine that is short of CPU.',
      ]),
      critical('TenantServerRestarts', `changes(process_start_time_seconds[30m]) > 3 ${ours}`, '0m', [
        'The server has started more than three times in half an hour.',
        'Its log says why it ended; look for a memory limit that is too low.',
      ]),
      warning('TenantServerHasManyFilesOpen', `process_open_fds / process_max_fds > 0.8 ${ours}`, '10m', [
        'The server will soon refuse connections.',
        'Raise the limit of open files, or find the client that opens so many.',
      ]),
    ],
  },
  {
    name: 'tenant-store',
    rules: [
      critical('TenantStoreIsFull', 'tenant_store_full == 1', '0m', [
        'Writes are refused, because the store has no room.',
        'Free space on the volume of the store, or give etcd more: docs/operations.md.',
      ]),
      warning('TenantEncryptionIsStale', 'tenant_encryption_stale_values > 0', '1h', [
        'Confidential values are not written with the current encryption key yet.',
        'Keep the key before; the log says what the rotation waits for: docs/encryption.md.',
      ]),
    ],
  },
  {
    name: 'tenant-controllers',
    rules: [
      warning('TenantControllerIsBehind', `workqueue_depth > 100 ${ours}`, '15m', [
        'A controller does not keep up.',
        'The label name says which one; look at its errors and at the CPU time of the server.',
      ]),
      warning('TenantControllerFails', `${erring} > 0 ${ours}`, '15m', [
        'A controller fails again and again.',
        'The label controller says which one, and the log why.',
      ]),
      warning('TenantWebhookFails', `${brokenHooks} > 0 ${ours}`, '5m', [
        'A webhook of a virtual cluster does not work, so that writes fail.',
        'The label name says which webhook. An administrator of the virtual cluster must repair its server or correct its configuration.',
      ]),
    ],
  },
  {
    name: 'tenant-platform',
    rules: [
      critical('PlatformRefusesAccessKeys', 'platform_access_keys_confirmed == 0', '1m', [
        'A replica is cut off from its etcd and refuses access keys.',
        'Look at etcd and the network to it.',
      ]),
      warning('PlatformLostLinks', 'sum(platform_links) < 0.5 * sum(platform_links offset 15m)', '5m', [
        'Half of the virtual clusters are no longer linked.',
        'Look at the network between tenants and platform, and at keys that were revoked.',
      ]),
      critical('PlatformAuditFails', 'tenant_audit_failing == 1', '0m', [
        'The audit log cannot be written.',
        'Free space on its volume, or mend it: docs/operations.md.',
      ]),
      critical('PlatformAuditLosesLines', 'increase(tenant_audit_lost_lines_total[15m]) > 0', '0m', [
        'Lines of the audit log are lost.',
        'Free space on its volume, or mend it: docs/operations.md.',
      ]),
      warning('PlatformAuditIsNotSent', 'increase(tenant_audit_webhook_failures_total[15m]) > 3', '15m', [
        'The webhook does not take the lines of the audit log.',
        'Look at the server that they are sent to, and at the log of the platform.',
      ]),
      critical('PlatformAuditDropsLines', 'increase(tenant_audit_webhook_dropped_lines_total[15m]) > 0', '0m', [
        'Lines of the audit log were not sent to the webhook.',
        'They are in the file; take them from there.',
      ]),
    ],
  },
  {
    name: 'tenant-sync',
    rules: [
      warning('TenantIsNotLinked', 'tenant_link_up == 0', '5m', [
        'A virtual cluster is not linked to its platform.',
        'The log of its tenant and the conditions of its VirtualClusterInstance say why.',
      ]),
      warning('TenantSyncFails', 'tenant_sync_objects{state="failing"} > 0', '15m', [
        'Objects of a virtual cluster cannot be brought in step with the host.',
        'Events of the objects and /debug/sync say why; tenant doctor compares them with their copies.',
      ]),
      warning('TenantSyncIsBehind', 'tenant_sync_queue_length > 100', '15m', [
        'The sync of a virtual cluster does not keep up.',
        'Look at the errors and the duration of the sync, and at the API server of the host.',
      ]),
      warning('TenantPatchFails', 'increase(tenant_patch_results_total{result="failed"}[15m]) > 0', '0m', [
        'A patch of tenant.yaml fails, and the objects that it is about are not synced.',
        'tenant patch test shows what it does with an object.',
      ]),
    ],
  },
  {
    name: 'tenant-backup',
    rules: [
      critical('TenantBackupFails', 'tenant_backup_last_run_failed == 1', '0m', [
        'The last backup failed.',
        'The log of tenant backup schedule says why.',
      ]),
      critical('TenantBackupIsOld', 'time() - tenant_backup_last_success_timestamp_seconds > 2 * 86400', '1h', [
        'No backup was complete in the last two days.',
        'Change the two days if the schedule has longer pauses.',
      ]),
    ],
  },
]

type Words = readonly [summary: string, description: string]

function warning(alert: string, expr: string, duration: string, words: Words): AlertRule {
  return ruleOf('warning', { alert, expr, for: duration }, words)
}

function critical(alert: string, expr: string, duration: string, words: Words): AlertRule {
  return ruleOf('critical', { alert, expr, for: duration }, words)
}

function ruleOf(
  severity: AlertRule['labels']['severity'],
  rule: Pick<AlertRule, 'alert' | 'expr' | 'for'>,
  [summary, description]: Words,
): AlertRule {
  return { ...rule, labels: { severity }, annotations: { summary, description } }
}

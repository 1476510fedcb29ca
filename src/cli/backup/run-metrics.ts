/** Metrics about the runs of one process, for Prometheus. */
export class RunMetrics {
  #succeeded = 0
  #failed = 0
  #lastFailed = false
  #lastSuccessMs = 0
  #lastEntries = 0
  #lastDurationMs = 0

  /** Whether the last run failed. */
  get hasFailed(): boolean {
    return this.#lastFailed
  }

  succeeded(beganMs: number, nowMs: number, entries: number): void {
    this.#succeeded += 1
    this.#lastFailed = false
    this.#lastSuccessMs = nowMs
    this.#lastEntries = entries
    this.#lastDurationMs = nowMs - beganMs
  }

  failed(beganMs: number, nowMs: number): void {
    this.#failed += 1
    this.#lastFailed = true
    this.#lastDurationMs = nowMs - beganMs
  }

  text(): string {
    return [
      ...counter('tenant_backup_runs_total', 'Runs of the schedule, by their result.'),
      `tenant_backup_runs_total{result="success"} ${this.#succeeded}`,
      `tenant_backup_runs_total{result="failure"} ${this.#failed}`,
      ...gauge('tenant_backup_last_run_failed', '1 if the last run failed.', this.#lastFailed ? 1 : 0),
      ...gauge(
        'tenant_backup_last_success_timestamp_seconds',
        'When a backup was last complete; 0 before the first.',
        this.#lastSuccessMs / 1000,
      ),
      ...gauge('tenant_backup_last_success_entries', 'How much it holds.', this.#lastEntries),
      ...gauge('tenant_backup_last_run_duration_seconds', 'How long the last run took.', this.#lastDurationMs / 1000),
      '',
    ].join('\n')
  }
}

function counter(name: string, help: string): readonly string[] {
  return [`# HELP ${name} ${help}`, `# TYPE ${name} counter`]
}

function gauge(name: string, help: string, value: number): readonly string[] {
  return [`# HELP ${name} ${help}`, `# TYPE ${name} gauge`, `${name} ${value}`]
}

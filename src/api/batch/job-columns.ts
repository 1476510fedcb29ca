import { humanDuration } from '../human/duration.ts'
import type { Job } from '../types/batch-v1.ts'

export function jobStateText({ metadata, status }: Job): string {
  const holds = (type: string) => (status.conditions ?? []).some((each) => each.type === type && each.status === 'True')
  if (holds('Complete')) return 'Complete'
  if (holds('Failed')) return 'Failed'
  if (metadata.deletionTimestamp !== undefined) return 'Terminating'
  if (holds('Suspended')) return 'Suspended'
  if (holds('FailureTarget')) return 'FailureTarget'
  return holds('SuccessCriteriaMet') ? 'SuccessCriteriaMet' : 'Running'
}

export function completionsText({ spec, status }: Job): string {
  const { completions, parallelism = 0 } = spec
  const succeeded = status.succeeded ?? 0
  if (completions !== undefined) return `${succeeded}/${completions}`
  return parallelism > 1 ? `${succeeded}/1 of ${parallelism}` : `${succeeded}/1`
}

export function durationText({ status }: Job, nowMs: number): string {
  const { startTime, completionTime } = status
  if (startTime === undefined) return ''
  const endMs = completionTime === undefined ? nowMs : Date.parse(completionTime)
  return humanDuration(endMs - Date.parse(startTime))
}

import { builtinKind } from '../core/builtin-kind.ts'
import { ageColumn, column, integerColumn, nameColumn, orNone, wideColumn } from '../core/columns.ts'
import { containerColumns, withTemplateDefaults } from '../core/pods/pod-template.ts'
import { nameWarnings } from '../core/pods/pod-warnings.ts'
import { formatAge } from '../human/age.ts'
import { labelSelectorText } from '../selectors/label-selector-object.ts'
import type { CronJob, CronJobSpec } from '../types/batch-v1.ts'
import { validateCronJob, validateCronJobUpdate } from './cron-job-validation.ts'
import { jobSpecWarnings } from './job-warnings.ts'

const zoneInSchedule =
  'cannot use TZ or CRON_TZ in spec.spec.schedule, use timeZone instead, see https://kubernetes.io/docs/concepts/workloads/controllers/cron-jobs/ for more details'

export const cronJob = builtinKind<CronJob>({
  group: 'batch',
  version: 'v1',
  kind: 'CronJob',
  plural: 'cronjobs',
  shortNames: ['cj'],
  categories: ['all'],
  namespaced: true,
  hasStatus: true,
  hasGeneration: true,
  message: 'k8s.io.api.batch.v1.CronJob',
  columns: [
    nameColumn,
    column('Schedule', 'Times at which jobs are created.', ({ spec }) => spec.schedule),
    column('Timezone', 'Time zone of the schedule.', ({ spec }) => orNone(spec.timeZone)),
    {
      name: 'Suspend',
      type: 'boolean',
      description: 'Whether the schedule is suspended.',
      value: ({ spec }) => (spec.suspend === undefined ? '<unset>' : spec.suspend ? 'True' : 'False'),
    },
    integerColumn('Active', 'Jobs that are running.', ({ status }) => (status.active ?? []).length),
    column('Last Schedule', 'Time since the last job was scheduled.', ({ status }, nowMs) =>
      status.lastScheduleTime === undefined ? orNone(undefined) : formatAge(status.lastScheduleTime, nowMs),
    ),
    ageColumn,
    ...containerColumns(({ spec }: CronJob) => spec.jobTemplate.spec.template),
    wideColumn('Selector', 'Selector of its pods.', ({ spec }) =>
      orNone(labelSelectorText(spec.jobTemplate.spec.selector)),
    ),
  ],
  strategy: {
    defaults: (object) => ({ ...object, spec: withDefaults(object.spec) }),
    validate: validateCronJob,
    validateUpdate: validateCronJobUpdate,
    warnings: ({ metadata, spec }, old) => [
      ...(old === undefined ? nameWarnings(metadata) : []),
      ...jobSpecWarnings('spec.jobTemplate.spec', spec.jobTemplate.spec, spec, old?.spec),
      ...(old !== undefined && spec.schedule.includes('TZ') ? [zoneInSchedule] : []),
    ],
  },
})

function withDefaults(spec: CronJobSpec): CronJobSpec {
  const { jobTemplate } = spec
  const template = withTemplateDefaults(jobTemplate.spec.template)
  return {
    ...spec,
    concurrencyPolicy: spec.concurrencyPolicy ?? 'Allow',
    suspend: spec.suspend ?? false,
    successfulJobsHistoryLimit: spec.successfulJobsHistoryLimit ?? 3,
    failedJobsHistoryLimit: spec.failedJobsHistoryLimit ?? 1,
    jobTemplate: { ...jobTemplate, spec: { ...jobTemplate.spec, template } },
  }
}

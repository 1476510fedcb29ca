import { builtinKind } from '../core/builtin-kind.ts'
import { ageColumn, column, nameColumn, orNone, wideColumn } from '../core/columns.ts'
import { containerColumns } from '../core/pods/pod-template.ts'
import { nameWarnings } from '../core/pods/pod-warnings.ts'
import { labelSelectorText } from '../selectors/label-selector-object.ts'
import type { Job } from '../types/batch-v1.ts'
import { completionsText, durationText, jobStateText } from './job-columns.ts'
import { withJobDefaults } from './job-defaults.ts'
import { withGeneratedSelector } from './job-selector.ts'
import { validateJobStatus } from './job-status-validation.ts'
import { validateJob, validateJobUpdate } from './job-validation.ts'
import { jobSpecWarnings } from './job-warnings.ts'

export const job = builtinKind<Job>({
  group: 'batch',
  version: 'v1',
  kind: 'Job',
  plural: 'jobs',
  categories: ['all'],
  namespaced: true,
  hasStatus: true,
  hasGeneration: true,
  orphansByDefault: true,
  orphaningWarning:
    'child pods are preserved by default when jobs are deleted; set propagationPolicy=Background to remove them or set propagationPolicy=Orphan to suppress this warning',
  message: 'k8s.io.api.batch.v1.Job',
  selectableFields: { 'status.successful': ({ status }) => String(status.succeeded ?? 0) },
  columns: [
    nameColumn,
    column('Status', 'Current state or outcome of the job.', jobStateText),
    column('Completions', 'Succeeded pods and required pods.', completionsText),
    column('Duration', 'Run time of the job.', durationText),
    ageColumn,
    ...containerColumns(({ spec }: Job) => spec.template),
    wideColumn('Selector', 'Selector of its pods.', ({ spec }) => orNone(labelSelectorText(spec.selector))),
  ],
  strategy: {
    defaults: (object) => ({ ...object, spec: withJobDefaults(object.spec), ...labelsOf(object) }),
    prepareForCreate: withGeneratedSelector,
    validate: validateJob,
    validateUpdate: validateJobUpdate,
    validateStatusUpdate: validateJobStatus,
    warnings: ({ metadata, spec }, old) => [
      ...(old === undefined ? nameWarnings(metadata) : []),
      ...jobSpecWarnings('spec', spec, spec, old?.spec),
    ],
  },
})

/** A job without labels gets those of its template. */
function labelsOf({ metadata, spec }: Job): Partial<Job> {
  const labels = metadata.labels ?? spec.template.metadata.labels
  return labels === undefined ? {} : { metadata: { ...metadata, labels } }
}

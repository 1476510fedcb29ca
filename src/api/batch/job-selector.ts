import type { Job } from '../types/batch-v1.ts'

export const controllerLabel = 'batch.kubernetes.io/controller-uid'
export const nameLabel = 'batch.kubernetes.io/job-name'
export const oldControllerLabel = 'controller-uid'
export const oldNameLabel = 'job-name'

/** The uid of a job identifies its pods, unless its author has chosen another way. */
export function withGeneratedSelector(job: Job): Job {
  if (job.spec.manualSelector === true) return job
  const { selector = {}, template } = job.spec
  const labels = { ...generatedLabels(job), ...template.metadata.labels }
  const matchLabels = { [controllerLabel]: job.metadata.uid ?? '', ...selector.matchLabels }
  return {
    ...job,
    metadata: hasLabelsOfTemplate(job) ? { ...job.metadata, labels } : job.metadata,
    spec: {
      ...job.spec,
      selector: { ...selector, matchLabels },
      template: { ...template, metadata: { ...template.metadata, labels } },
    },
  }
}

/**
 * A job without its own labels has those of its template: the same object, whatever is added to it. With a generated
 * name, kube-apiserver copies the job first, so that nothing is added to its labels.
 */
function hasLabelsOfTemplate({ metadata, spec }: Job): boolean {
  if (metadata.labels !== undefined && (metadata.generateName ?? '') !== '') return false
  return metadata.labels === undefined || metadata.labels === spec.template.metadata.labels
}

export function generatedLabels({ metadata }: Job): Readonly<Record<string, string>> {
  const { uid = '', name = '' } = metadata
  return { [oldNameLabel]: name, [nameLabel]: name, [oldControllerLabel]: uid, [controllerLabel]: uid }
}

import type { KubeObject } from '../../api/object.ts'
import type { Job } from '../../api/types/batch-v1.ts'
import type { Container, EnvVar, PodTemplateSpec } from '../../api/types/core-v1.ts'
import {
  completionIndexName,
  ignoredFailuresAnnotation,
  indexFailuresAnnotation,
  trackingFinalizer,
} from '../pods/job-pod-facts.ts'
import { podFromTemplate } from '../pods/pod-from-template.ts'
import type { WantedPod } from './plan-pods.ts'

/** Leaves room for the generated suffix. */
const longestGenerateName = 58

const indexVariable: EnvVar = {
  name: 'JOB_COMPLETION_INDEX',
  valueFrom: { fieldRef: { fieldPath: `metadata.labels['${completionIndexName}']` } },
}

export function podOfJob(job: Job, { index, failures }: WantedPod): KubeObject {
  const template = trackedTemplate(job.spec.template)
  if (index === undefined) return podFromTemplate(job, template)
  const { name = '' } = job.metadata
  const { labels, annotations } = template.metadata
  const pod = podFromTemplate(job, {
    metadata: {
      ...template.metadata,
      labels: { ...labels, [completionIndexName]: String(index) },
      annotations: { ...annotations, [completionIndexName]: String(index), ...failureAnnotations(failures) },
    },
    spec: {
      ...template.spec,
      hostname: `${name}-${index}`,
      containers: template.spec.containers?.map(withIndexVariable) ?? null,
      ...(template.spec.initContainers && { initContainers: template.spec.initContainers.map(withIndexVariable) }),
    },
  })
  return { ...pod, metadata: { ...pod.metadata, generateName: generateNameOf(name, index) } }
}

function trackedTemplate({ metadata, spec }: PodTemplateSpec): PodTemplateSpec {
  const { finalizers = [] } = metadata
  if (finalizers.includes(trackingFinalizer)) return { metadata, spec }
  return { metadata: { ...metadata, finalizers: [...finalizers, trackingFinalizer] }, spec }
}

function failureAnnotations(failures: WantedPod['failures']): Readonly<Record<string, string>> {
  if (failures === undefined) return {}
  return {
    [indexFailuresAnnotation]: String(failures.counted),
    ...(failures.ignored > 0 && { [ignoredFailuresAnnotation]: String(failures.ignored) }),
  }
}

/** A variable of that name set by the author is kept. */
function withIndexVariable(container: Container): Container {
  const { env = [] } = container
  return env.some(({ name }) => name === indexVariable.name)
    ? container
    : { ...container, env: [...env, indexVariable] }
}

function generateNameOf(jobName: string, index: number): string {
  const suffix = `-${index}-`
  return `${jobName.slice(0, longestGenerateName - suffix.length)}${suffix}`
}

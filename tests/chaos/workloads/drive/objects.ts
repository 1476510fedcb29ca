import { versionLabel } from '../checker/history.ts'

export const nodeName = 'node-1'
export const jobPodLabel = 'batch.kubernetes.io/job-name'

export const node = { apiVersion: 'v1', kind: 'Node', metadata: { name: nodeName } }

/** Pods with a node, so that their deletion takes time. */
function templateOf(app: string, version: number) {
  return {
    metadata: { labels: { app, [versionLabel]: `v${version}` } },
    spec: {
      nodeName,
      terminationGracePeriodSeconds: 20,
      containers: [{ name: 'main', image: 'example/app', env: [{ name: 'VERSION', value: String(version) }] }],
    },
  }
}

export interface DeploymentChoice {
  readonly name: string
  readonly strategy: object
}

export function deployment({ name, strategy }: DeploymentChoice) {
  const selector = { matchLabels: { app: name } }
  return { metadata: { name }, spec: { replicas: 3, selector, strategy, template: templateOf(name, 0) } }
}

export function statefulSet(name: string, podManagementPolicy: string) {
  const selector = { matchLabels: { app: name } }
  return {
    metadata: { name },
    spec: { replicas: 3, serviceName: name, podManagementPolicy, selector, template: templateOf(name, 0) },
  }
}

export interface JobChoice {
  readonly name: string
  readonly completions: number
  readonly parallelism: number
  readonly completionMode: string
}

export function job({ name, ...spec }: JobChoice) {
  const { spec: pod } = templateOf(name, 0)
  const template = { spec: { ...pod, restartPolicy: 'Never' } }
  return { metadata: { name }, spec: { ...spec, backoffLimit: 1_000, template } }
}

/** As a patch of an existing workload. */
export function newTemplate(name: string, version: number) {
  return { spec: { template: templateOf(name, version) } }
}

import type { Draft } from '../../../sync/support/objects.ts'
import type { Place } from './kinds.ts'

const main = { name: 'main', image: 'app:1' }
const shortestTokenSeconds = 600

export const podShapes = ['plain', 'with claim', 'with settings', 'with short token'] as const
export type PodShape = (typeof podShapes)[number]

export const claimNames = ['data-0', 'data-1'] as const
export const settingsName = 'settings'

export function podDraft({ namespace, name }: Place, shape: PodShape): Draft {
  return { metadata: { namespace, name, labels: { app: name } }, spec: podSpec(shape) }
}

function podSpec(shape: PodShape): object {
  const base = { terminationGracePeriodSeconds: 5 }
  switch (shape) {
    case 'plain':
      return { ...base, containers: [main] }
    case 'with claim':
      return {
        ...base,
        containers: [main],
        volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'data-0' } }],
      }
    case 'with settings': {
      const envFrom = [{ secretRef: { name: settingsName } }, { configMapRef: { name: settingsName, optional: true } }]
      return { ...base, containers: [{ ...main, envFrom }] }
    }
    case 'with short token': {
      const sources = [{ serviceAccountToken: { path: 'token', expirationSeconds: shortestTokenSeconds } }]
      return { ...base, containers: [main], volumes: [{ name: 'token', projected: { sources } }] }
    }
  }
}

export function claimDraft({ namespace, name }: Place): Draft {
  const resources = { requests: { storage: '1Gi' } }
  return { metadata: { namespace, name }, spec: { accessModes: ['ReadWriteOnce'], resources } }
}

export function settingsDraft({ namespace }: Place, value: string): Draft {
  return { metadata: { namespace, name: settingsName }, data: { key: Buffer.from(value).toString('base64') } }
}

export function serviceDraft({ namespace, name }: Place): Draft {
  return { metadata: { namespace, name }, spec: { selector: { app: name }, ports: [{ port: 80 }] } }
}

export function deploymentDraft({ namespace, name }: Place): Draft {
  const labels = { app: name }
  const template = { metadata: { labels }, spec: { terminationGracePeriodSeconds: 5, containers: [main] } }
  return { metadata: { namespace, name }, spec: { replicas: 2, selector: { matchLabels: labels }, template } }
}

/** Nothing schedules for it: Pods of others stay as they were written. */
export const foreignScheduler = 'of-others'

/** A Pod of others in the namespace of the host. */
export function foreignPod(namespace: string, name: string, metadata: object): Draft {
  return {
    metadata: { namespace, name, ...metadata },
    spec: { containers: [main], automountServiceAccountToken: false, schedulerName: foreignScheduler },
  }
}

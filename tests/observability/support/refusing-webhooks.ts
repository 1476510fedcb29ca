import { expect } from 'vitest'
import { eventually } from '../../support/eventually.ts'
import type { WorldClient } from './world.ts'

const webhookConfigurations = '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations'
const configMaps = '/api/v1/namespaces/default/configmaps'

/** Two unreachable webhooks: one is ignored, and one refuses. */
export async function refuseByWebhook(virtual: WorldClient): Promise<void> {
  const webhooks = ['Ignore', 'Fail'].map((failurePolicy) => ({
    name: `${failurePolicy.toLowerCase()}.example.com`,
    clientConfig: { service: { namespace: 'default', name: 'kubernetes' } },
    rules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['configmaps'] }],
    objectSelector: { matchLabels: { asked: failurePolicy } },
    failurePolicy,
    timeoutSeconds: 1,
    sideEffects: 'None',
    admissionReviewVersions: ['v1'],
  }))
  await virtual.ask('POST', webhookConfigurations, { body: { metadata: { name: 'hooks' }, webhooks } })
  const statusOf = async (asked: string) => {
    const body = { metadata: { name: 'asked', labels: { asked } } }
    return (await virtual.ask('POST', `${configMaps}?dryRun=All`, { body })).status
  }
  await eventually(async () => expect([await statusOf('Ignore'), await statusOf('Fail')]).toEqual([201, 500]))
}

import { describe, expect, it } from 'vitest'
import { rulesFor } from '../../../../tests/support/examples/worlds.ts'
import type { Pod } from '../../../api/types/core-v1.ts'
import { podsSync } from './pods.ts'
import { inVirtualWords, namesHostObjects } from './virtual-words.ts'

const { names } = rulesFor(podsSync, 'Pod').setting
const volumes = [{ name: 'tls', secret: { secretName: 'certs' } }]
const pod: Pod = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'web', namespace: 'shop', uid: '0b1c2d3e-0000-4000-8000-000000000001' },
  spec: { containers: [], volumes },
  status: {},
}
const host = (name: string) => names.of('shop', name).name

describe('a message of the host about a Pod', () => {
  it.each([
    ['the Pod itself', `Created pod: ${host('web')}`, 'Created pod: web'],
    ['what it refers to', `secret "${host('certs')}" not found`, 'secret "certs" not found'],
    [
      'with a namespace',
      `couldn't find key a in Secret tenants/${host('certs')}`,
      "couldn't find key a in Secret shop/certs",
    ],
    [
      'as kubelets call the Pod',
      `back-off 40s restarting failed container=c pod=${host('web')}_tenants(446e62a4-0f55-4e7e-b073-1780a70af028)`,
      'back-off 40s restarting failed container=c pod=web_shop(0b1c2d3e-0000-4000-8000-000000000001)',
    ],
    [
      'as network plugins call the Pod',
      `failed to set up pod "${host('web')}_tenants" network: no address`,
      'failed to set up pod "web_shop" network: no address',
    ],
    ['nothing of the host', 'Back-off pulling image "app:v-1"', 'Back-off pulling image "app:v-1"'],
    ['a name that only looks like one', 'v-web-0123456789abc', 'v-web-0123456789abc'],
    ['a part of a word', `x${host('web')}`, `x${host('web')}`],
  ])('has the names of the virtual cluster: %s', (_, text, expected) => {
    expect(inVirtualWords(text, pod, names)).toBe(expected)
  })

  it.each([
    ['a copy that is not known', 'Preempted by v-other-0123456789abc', true],
    ['another Pod of the namespace', 'Preempted by tenants/db on node a', true],
    ['a container of a copy', 'name k8s_app_v-other-0123456789abc_tenants_0 is reserved', true],
    ['nothing', 'Successfully assigned shop/web to node-1', false],
  ])('may name %s', (_, text, expected) => {
    expect(namesHostObjects(text, names)).toBe(expected)
  })
})

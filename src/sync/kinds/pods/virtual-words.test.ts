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
  metadata: { name: 'web', namespace: 'shop' },
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
    ['nothing of the host', 'Back-off pulling image "app:v-1"', 'Back-off pulling image "app:v-1"'],
    ['a name that only looks like one', 'v-web-0123456789abc', 'v-web-0123456789abc'],
    ['a part of a word', `x${host('web')}`, `x${host('web')}`],
  ])('has the names of the virtual cluster: %s', (_, text, expected) => {
    expect(inVirtualWords(text, pod, names)).toBe(expected)
  })

  it.each([
    ['a copy that is not known', 'Preempted by v-other-0123456789abc', true],
    ['another Pod of the namespace', 'Preempted by tenants/db on node a', true],
    ['nothing', 'Successfully assigned shop/web to node-1', false],
  ])('may name %s', (_, text, expected) => {
    expect(namesHostObjects(text, names)).toBe(expected)
  })
})

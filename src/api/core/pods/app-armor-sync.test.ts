import { expect, it } from 'vitest'
import { errorTexts, previewCreate } from '../../../../tests/support/strategy-steps.ts'
import { pod } from './pod.ts'

const prefix = 'container.apparmor.security.beta.kubernetes.io/'

function created(localhostProfile: string, count: number) {
  const containers = Array.from({ length: count }, (_, index) => ({ name: `c${index}`, image: 'i:1' }))
  const securityContext = { appArmorProfile: { type: 'Localhost', localhostProfile } }
  return previewCreate(pod, { metadata: { name: 'p' }, spec: { containers, securityContext } })
}

it('the AppArmor profile of a Pod is in an annotation for each container', () => {
  expect(created('mine', 2).object.metadata.annotations).toEqual({
    [`${prefix}c0`]: 'localhost/mine',
    [`${prefix}c1`]: 'localhost/mine',
  })
})

it('an annotation sets the field of its container, unless it repeats the profile of the Pod', () => {
  const annotations = {
    [`${prefix}c0`]: 'localhost/mine',
    [`${prefix}c1`]: 'unconfined',
    [`${prefix}c2`]: 'localhost/',
  }
  const containers = [0, 1, 2].map((index) => ({ name: `c${index}`, image: 'i:1' }))
  const securityContext = { appArmorProfile: { type: 'Unconfined' } }
  const { object, warnings } = previewCreate(pod, {
    metadata: { name: 'p', annotations },
    spec: { containers, securityContext },
  })
  expect(object).toMatchObject({
    spec: {
      containers: [{ securityContext: { appArmorProfile: { type: 'Localhost', localhostProfile: 'mine' } } }, {}, {}],
    },
  })
  expect(warnings).toEqual(
    ['c0', 'c2'].map(
      (name) =>
        `metadata.annotations[${prefix}${name}]: deprecated since v1.30; use the "appArmorProfile" field instead`,
    ),
  )
})

it('a profile name that is too long is reported once, not for each container', () => {
  const outcome = created('x'.repeat(1_000_000), 1_000)
  expect(outcome.object.metadata.annotations).toBeUndefined()
  expect(errorTexts(outcome)).toEqual([
    'spec.securityContext.appArmorProfile.localhostProfile: Too long: may not be more than 4095 bytes',
  ])
})

import { describe, expect, it } from 'vitest'
import type { PersistentVolumeClaim } from '../../api/types/core-v1.ts'
import { atOnce } from '../../base/steps.ts'
import { bindCompleted, planClaim, planVolume } from './plan.ts'
import { claimFactsFrom, classGroup, type VolumeFacts, volumeFactsFrom } from './volume-facts.ts'

function claim(spec: object = {}, metadata: object = {}): PersistentVolumeClaim {
  const resources = { requests: { storage: '2Gi' } }
  return {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { name: 'c', namespace: 'a', uid: 'claim', ...metadata },
    spec: { accessModes: ['ReadWriteOnce'], storageClassName: 'fast', resources, ...spec },
    status: { phase: 'Pending' },
  }
}

function volume(name: string, storage: string, spec: object = {}, more: object = {}): VolumeFacts {
  return volumeFactsFrom({
    apiVersion: 'v1',
    kind: 'PersistentVolume',
    metadata: { name, uid: name, ...more },
    spec: { capacity: { storage }, accessModes: ['ReadWriteOnce', 'ReadOnlyMany'], storageClassName: 'fast', ...spec },
    status: { phase: 'Available' },
  })
}

function among(...volumes: readonly VolumeFacts[]) {
  return {
    inGroup: (group: string) => volumes.filter(({ storageClass }) => classGroup(storageClass) === group),
    get: ({ name }: { readonly name: string }) => volumes.find((each) => each.name === name),
  }
}

/** The result for the claim: the name of its volume, or the action. */
function outcome(wanted: PersistentVolumeClaim, ...volumes: readonly VolumeFacts[]): string {
  const plan = atOnce(planClaim(wanted, among(...volumes), false))
  return plan.action === 'bind' ? plan.volume.name : plan.action === 'lose' ? plan.reason : plan.action
}

const bound = { annotations: { [bindCompleted]: 'yes' } }
const mine = { claimRef: { namespace: 'a', name: 'c' } }
const others = { claimRef: { namespace: 'a', name: 'other', uid: 'other' } }

describe('a claim', () => {
  it.each<[string, string, PersistentVolumeClaim, readonly VolumeFacts[]]>([
    ['gets the smallest volume that fits', 'small', claim(), [volume('large', '9Gi'), volume('small', '3Gi')]],
    [
      'gets the one that was provisioned for it',
      'meant',
      claim(),
      [volume('small', '3Gi'), volume('meant', '9Gi', mine)],
    ],
    ['waits if all are too small', 'wait', claim(), [volume('tiny', '1Gi')]],
    ['waits if all are taken', 'wait', claim(), [volume('taken', '3Gi', others)]],
    ['waits if none has its class', 'wait', claim(), [volume('slow', '3Gi', { storageClassName: 'slow' })]],
    ['waits if none has its mode', 'wait', claim({ volumeMode: 'Block' }), [volume('files', '3Gi')]],
    ['waits if none has its access mode', 'wait', claim({ accessModes: ['ReadWriteMany'] }), [volume('one', '3Gi')]],
    [
      'waits if the matching ones are being deleted',
      'wait',
      claim(),
      [volume('going', '3Gi', {}, { deletionTimestamp: 'now' })],
    ],
    [
      'gets one that it selects',
      'blue',
      claim({ selector: { matchLabels: { color: 'blue' } } }),
      [volume('red', '3Gi'), volume('blue', '9Gi', {}, { labels: { color: 'blue' } })],
    ],
    [
      'gets the one that it names',
      'large',
      claim({ volumeName: 'large' }),
      [volume('small', '3Gi'), volume('large', '9Gi')],
    ],
    [
      'waits if the named one is being deleted',
      'wait',
      claim({ volumeName: 'going' }, bound),
      [volume('going', '3Gi', mine, { deletionTimestamp: 'now' })],
    ],
    ['waits for the one that it names', 'wait', claim({ volumeName: 'later' }), [volume('small', '3Gi')]],
    ['is lost with its volume', 'ClaimLost', claim({ volumeName: 'gone' }, bound), []],
    ['is not lost if a host has bound it', 'wait', claim({ volumeName: 'on-the-host' }), []],
    [
      'is lost if its volume is another’s',
      'ClaimMisbound',
      claim({ volumeName: 'taken' }, bound),
      [volume('taken', '3Gi', others)],
    ],
  ])('%s', (_, wanted, asking, volumes) => {
    expect(outcome(asking, ...volumes)).toBe(wanted)
  })

  it('waits for its first Pod with volumeBindingMode WaitForFirstConsumer', () => {
    expect(atOnce(planClaim(claim(), among(volume('small', '3Gi')), true))).toEqual({ action: 'wait' })
  })
})

describe('a volume', () => {
  const reference = { claimRef: { namespace: 'a', name: 'c', uid: 'claim' } }
  const facts = (spec: object, uid = 'claim') => claimFactsFrom(claim(spec, { uid }))

  it.each([
    ['is available without a claim', {}, undefined, { action: 'phase', phase: 'Available' }],
    ['is available while its claim does not exist', mine, undefined, { action: 'phase', phase: 'Available' }],
    ['is bound to the claim that names it', reference, facts({ volumeName: 'v' }), { action: 'phase', phase: 'Bound' }],
    ['waits for its claim', reference, facts({}), { action: 'wait' }],
    ['is released with its claim', reference, undefined, { action: 'phase', phase: 'Released' }],
    [
      'is not given to the next claim of the name',
      reference,
      facts({}, 'next'),
      { action: 'phase', phase: 'Released' },
    ],
    ['is free if its claim took another', reference, facts({ volumeName: 'w' }), { action: 'free' }],
  ])('%s', (_, spec, its, wanted) => {
    expect(planVolume(volume('v', '3Gi', spec), its)).toEqual(wanted)
  })
})

it('the selector of a claim is parsed once, however many volumes there are', () => {
  let reads = 0
  const selector = {
    get matchLabels() {
      reads++
      return { color: 'blue' }
    },
  }
  const volumes = Array.from({ length: 100 }, (_, index) => volume(`v${index}`, '3Gi'))
  expect(outcome(claim({ selector }), ...volumes)).toBe('wait')
  const readForMany = reads
  reads = 0
  expect(outcome(claim({ selector }), ...volumes.slice(0, 1))).toBe('wait')
  expect(readForMany).toBe(reads)
})

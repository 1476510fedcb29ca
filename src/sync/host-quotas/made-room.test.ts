import { describe, expect, it } from 'vitest'
import type { KubeObject } from '../../api/object.ts'
import { madeRoom } from './made-room.ts'

type Amounts = Readonly<Record<string, string>>

function quota(hard: Amounts, used: Amounts): KubeObject {
  return { apiVersion: 'v1', kind: 'ResourceQuota', metadata: { name: 'q' }, status: { hard, used } }
}

const full = quota({ pods: '2', cpu: '1' }, { pods: '2', cpu: '500m' })

describe('a quota of the host makes room', () => {
  it.each<[string, KubeObject | undefined, KubeObject | undefined, 'anything' | readonly string[]]>([
    ['when it is deleted', full, undefined, 'anything'],
    ['when it allows more', full, quota({ pods: '3', cpu: '1' }, { pods: '2', cpu: '500m' }), ['pods']],
    ['when it no longer limits something', full, quota({ pods: '2' }, { pods: '2', cpu: '500m' }), ['cpu']],
    ['when less is used', full, quota({ pods: '2', cpu: '1' }, { pods: '1', cpu: '500m' }), ['pods']],
    ['when less is used, in other units', full, quota({ pods: '2', cpu: '1' }, { pods: '2', cpu: '0.4' }), ['cpu']],
    ['not when it is created', undefined, full, []],
    ['not when more is used', quota({ pods: '2' }, { pods: '1' }), quota({ pods: '2' }, { pods: '2' }), []],
    ['not when it allows less', quota({ pods: '2' }, {}), quota({ pods: '1' }, {}), []],
    ['not when it only changes its notation', full, quota({ pods: '2', cpu: '1000m' }, { pods: '2', cpu: '0.5' }), []],
    ['not before it has a status', { ...full, status: {} }, full, []],
  ])('%s', (_when, before, after, expected) => {
    expect(madeRoom({ before, after })).toEqual(expected === 'anything' ? expected : new Set(expected))
  })
})

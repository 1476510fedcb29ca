import { expect, it } from 'vitest'
import { limitViolations, type Usage } from './constraints.ts'

const rules = { type: 'Container', min: { cpu: '50m' }, max: { memory: '1Gi' }, maxLimitRequestRatio: { cpu: '2' } }

it.each<[string, Usage, readonly string[]]>([
  ['within all bounds', { requests: { cpu: '100m' }, limits: { cpu: '200m', memory: '1Gi' } }, []],
  [
    'with nothing specified',
    { requests: {}, limits: {} },
    [
      'minimum cpu usage per Container is 50m.  No request is specified',
      'maximum memory usage per Container is 1Gi.  No limit is specified',
      'cpu max limit to request ratio per Container is 2, but no request is specified or request is 0',
    ],
  ],
  [
    'just out of proportion',
    { requests: { cpu: '100m' }, limits: { cpu: '201m', memory: '1' } },
    ['cpu max limit to request ratio per Container is 2, but provided ratio is 2.010000'],
  ],
])('a container %s', (_, usage, expected) => {
  expect(limitViolations(usage, rules)).toEqual(expected)
})

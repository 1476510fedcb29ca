import { expect, it } from 'vitest'
import { errorTexts, previewCreate } from '../../../tests/support/strategy-steps.ts'
import { csiNode } from './csi-node.ts'

it('validates the topology keys of a driver', () => {
  const drivers = [{ name: 'd.example.com', nodeID: 'n', topologyKeys: ['zone', 'zone', ''] }]
  expect(errorTexts(previewCreate(csiNode, { metadata: { name: 'n' }, spec: { drivers } }))).toEqual([
    'spec.drivers[0]: Duplicate value: "zone"',
    'spec.drivers[0]: Required value',
    'spec.drivers[0]: Invalid value: "": name part must be non-empty',
    expect.stringMatching(/^spec\.drivers\[0\]: Invalid value: "": name part must consist of/),
  ])
})

import { describe, expect, it } from 'vitest'
import { errorTexts, previewCreate } from '../../../../tests/support/strategy-steps.ts'
import { limitRange } from './limit-range.ts'

const metadata = { name: 'l', namespace: 'a' }
const problemsOf = (item: object) =>
  errorTexts(previewCreate(limitRange, { metadata, spec: { limits: [item] } })).map((text) =>
    text.replace(/resource\.Quantity\{.*\}: /, 'Q: ').replaceAll('spec.limits[0].', ''),
  )

describe('LimitRange', () => {
  it.each([
    [
      'a name that containers do not know',
      { type: 'Container', min: { foo: '1' } },
      [
        'min[foo]: Invalid value: foo: must be a standard resource type or fully qualified',
        'min[foo]: Invalid value: foo: must be a standard resource for containers',
        'defaultRequest[foo]: Invalid value: foo: must be a standard resource type or fully qualified',
        'defaultRequest[foo]: Invalid value: foo: must be a standard resource for containers',
      ],
    ],
    [
      'a name that only quotas know',
      { type: 'Pod', max: { pods: '1' } },
      ['max[pods]: Invalid value: pods: must be a standard resource for containers'],
    ],
    [
      'a domain that a quota could not name',
      { type: 'Pod', max: { 'requests.example.com/gpu': '1' } },
      [
        "max[requests.example.com/gpu]: Invalid value: requests.example.com/gpu: doesn't follow extended resource name standard",
      ],
    ],
    ['domains of others', { type: 'Pod', max: { 'example.com/gpu': '1', 'hugepages-2Mi': '2Mi' } }, []],
    ['storage of a claim', { type: 'PersistentVolumeClaim', max: { storage: '1Gi' } }, []],
    ['any type with a domain', { type: 'example.com/x', max: { pods: '1' } }, []],
    [
      'an unknown type',
      { type: 'Node', max: { cpu: '1' } },
      ['type: Invalid value: "Node": must be a standard limit type or fully qualified'],
    ],
    [
      'a ratio below one',
      { type: 'Container', maxLimitRequestRatio: { cpu: '500m' } },
      ['maxLimitRequestRatio[cpu]: Invalid value: Q: ratio 500m is less than 1'],
    ],
    [
      'a ratio that minimum and maximum rule out',
      { type: 'Pod', min: { cpu: '2' }, max: { cpu: '3' }, maxLimitRequestRatio: { cpu: '2' } },
      ['maxLimitRequestRatio[cpu]: Invalid value: Q: ratio 2 is greater than max/min = 1.500000'],
    ],
    [
      'defaults of resources that cannot be overcommitted',
      { type: 'Container', default: { 'example.com/gpu': '2' }, defaultRequest: { 'example.com/gpu': '1' } },
      [
        'defaultRequest[example.com/gpu]: Invalid value: Q: default value 2 must equal to defaultRequest value 1 in example.com/gpu',
      ],
    ],
    [
      'a default above the maximum',
      { type: 'Container', max: { cpu: '1' }, default: { cpu: '2' }, defaultRequest: { cpu: '1' } },
      ['default[cpu]: Invalid value: Q: default value 2 is greater than max value 1'],
    ],
    [
      'defaults of a Pod, which are not compared',
      { type: 'Pod', max: { cpu: '1' }, default: { cpu: '2' } },
      ["default: Forbidden: may not be specified when `type` is 'Pod'"],
    ],
  ])('validates %s', (_, item, errors) => {
    expect(problemsOf(item)).toEqual(errors)
  })
})

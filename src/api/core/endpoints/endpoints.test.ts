import { describe, expect, it } from 'vitest'
import { errorTexts, previewCreate } from '../../../../tests/support/strategy-steps.ts'
import { endpoints } from './endpoints.ts'

const metadata = { name: 'e', namespace: 'default' }
const addresses = (...ips: readonly string[]) => ips.map((ip) => ({ ip }))
const shown = (subsets: unknown) =>
  endpoints.columns?.[1]?.value(previewCreate(endpoints, { metadata, subsets }).object, 0)

describe('Endpoints', () => {
  it('speaks TCP unless told otherwise', () => {
    const subsets = [
      { addresses: addresses('10.1.1.2'), ports: [{ port: 80 }, { name: 'b', port: 53, protocol: 'UDP' }] },
    ]
    expect(previewCreate(endpoints, { metadata, subsets }).object.subsets).toEqual([
      {
        addresses: [{ ip: '10.1.1.2' }],
        ports: [
          { port: 80, protocol: 'TCP' },
          { name: 'b', port: 53, protocol: 'UDP' },
        ],
      },
    ])
  })

  it.each([
    ['no subsets', [], []],
    [
      'loopback, no port and an empty subset',
      [{ addresses: addresses('127.0.0.1'), ports: [{ port: 0 }] }, {}],
      [
        'subsets[0].addresses[0].ip: Invalid value: "127.0.0.1": may not be in the loopback range (127.0.0.0/8, ::1/128)',
        'subsets[0].ports[0].port: Invalid value: 0: must be between 1 and 65535, inclusive',
        'subsets[1]: Required value: must specify `addresses` or `notReadyAddresses`',
      ],
    ],
    [
      'no address at all',
      [{ notReadyAddresses: addresses('x') }],
      [
        'subsets[0].notReadyAddresses[0].ip: Invalid value: "x": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)',
        'subsets[0].notReadyAddresses[0].ip: Invalid value: "x": must be a valid IP address',
      ],
    ],
    [
      'special ranges',
      [{ addresses: addresses('0.0.0.0', '169.254.1.1', '224.0.0.1', '::1', 'fe80::1', 'ff02::1') }],
      [
        'subsets[0].addresses[0].ip: Invalid value: "0.0.0.0": may not be unspecified (0.0.0.0)',
        'subsets[0].addresses[1].ip: Invalid value: "169.254.1.1": may not be in the link-local range (169.254.0.0/16, fe80::/10)',
        'subsets[0].addresses[2].ip: Invalid value: "224.0.0.1": may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)',
        'subsets[0].addresses[3].ip: Invalid value: "::1": may not be in the loopback range (127.0.0.0/8, ::1/128)',
        'subsets[0].addresses[4].ip: Invalid value: "fe80::1": may not be in the link-local range (169.254.0.0/16, fe80::/10)',
        'subsets[0].addresses[5].ip: Invalid value: "ff02::1": may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)',
      ],
    ],
    [
      'nameless ports side by side',
      [{ addresses: addresses('10.0.0.1'), ports: [{ port: 1 }, { port: 2, protocol: 'X' }] }],
      [
        'subsets[0].ports[0].name: Required value',
        'subsets[0].ports[1].name: Required value',
        'subsets[0].ports[1].protocol: Unsupported value: "X": supported values: "SCTP", "TCP", "UDP"',
      ],
    ],
    [
      'invalid names',
      [{ addresses: [{ ip: '10.0.0.1', hostname: 'a.b', nodeName: 'N' }] }],
      [
        'subsets[0].addresses[0].hostname: Invalid value: "a.b": must not contain dots',
        expect.stringContaining('subsets[0].addresses[0].nodeName: Invalid value: "N": a lowercase RFC 1123 subdomain'),
      ],
    ],
  ])('validates %s', (_, subsets, errors) => {
    expect(errorTexts(previewCreate(endpoints, { metadata, subsets }))).toEqual(errors)
  })

  it.each([
    [undefined, '<none>'],
    [[{ addresses: addresses('1.2.3.4') }], '1.2.3.4'],
    [[{ addresses: addresses('1.2.3.4', '2001:db8::1'), ports: [{ port: 80 }] }], '1.2.3.4:80,[2001:db8::1]:80'],
    [
      [{ addresses: addresses('1.1.1.1', '2.2.2.2', '3.3.3.3'), ports: [{ port: 1 }, { port: 2 }] }],
      '1.1.1.1:1,2.2.2.2:1,3.3.3.3:1 + 3 more...',
    ],
    [[{ notReadyAddresses: addresses('1.2.3.4'), ports: [{ port: 80 }] }], ''],
  ])('prints the first few ready addresses', (subsets, text) => {
    expect(shown(subsets)).toBe(text)
  })

  it('looks at no more addresses than it prints, however many ports there are', () => {
    let reads = 0
    const address = {
      get ip() {
        reads += 1
        return '10.0.0.1'
      },
    }
    const subset = {
      addresses: Array.from({ length: 200 }, () => address),
      ports: Array.from({ length: 100 }, (_, at) => ({ name: `p${at}`, port: at + 1 })),
    }
    const object = { apiVersion: 'v1', kind: 'Endpoints', metadata, subsets: [subset] }
    expect(endpoints.columns?.[1]?.value(object, 0)).toBe('10.0.0.1:1,10.0.0.1:1,10.0.0.1:1 + 19997 more...')
    expect(reads).toBeLessThan(20)
  })
})

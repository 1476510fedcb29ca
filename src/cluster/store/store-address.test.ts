import { describe, expect, it } from 'vitest'
import { UsageError } from '../../base/usage-error.ts'
import { parseStoreAddress } from './store-address.ts'

describe('the address of a store', () => {
  it.each([
    ['file:/var/lib/a?b', { form: 'file', directory: '/var/lib/a?b' }],
    [
      'etcd:https://a:2379, https://b:2379\n?prefix=/a',
      { form: 'etcd', etcd: { endpoints: ['https://a:2379', 'https://b:2379'], prefix: '/a' } },
    ],
    ['etcd:http://a:2379', { form: 'etcd', etcd: { endpoints: ['http://a:2379'], prefix: '/tenant' } }],
    [
      'etcd:https://a:2379,https://b:2379?cafile=/c/ca.crt&certfile=/c/a%26b.crt&keyfile=/c/tls.key&userfile=u&prefix=/team-a/x',
      {
        form: 'etcd',
        etcd: {
          endpoints: ['https://a:2379', 'https://b:2379'],
          prefix: '/team-a/x',
          cafile: '/c/ca.crt',
          certfile: '/c/a&b.crt',
          keyfile: '/c/tls.key',
          userfile: 'u',
        },
      },
    ],
  ])('%s', (text, address) => {
    expect(parseStoreAddress(text)).toEqual(address)
  })

  it.each([
    ['', 'is not a store'],
    ['file:', 'is not a store'],
    ['s3:bucket', 'is not a store'],
    ['etcd:https://a?password=x', '"password" is not a setting of an etcd: use prefix, cafile, certfile'],
    ['etcd:https://a?certfile=/c', 'needs both certfile and keyfile'],
    ['etcd:https://a?cafile=', 'the setting cafile of the etcd is empty'],
    ['etcd:https://a?cafile=a&cafile=b', 'the setting cafile of the etcd is given twice'],
    ['etcd:https://a?prefix=a', 'must begin with a slash'],
    ['etcd:https://a?prefix=/a/', 'must begin with a slash'],
    ['etcd:https://a?prefix=/a//b', 'must begin with a slash'],
    ['etcd:https://a?prefix=/a%00', 'must begin with a slash'],
  ])('%s is refused', (text, message) => {
    expect(() => parseStoreAddress(text)).toThrow(UsageError)
    expect(() => parseStoreAddress(text)).toThrow(message)
  })
})

import { expect, it } from 'vitest'
import { leftInStore } from './left-in-store.ts'

const store = 'etcd:http://10.0.0.1:2379?prefix=/shop'

it.each<[string, Parameters<typeof leftInStore>, RegExp[]]>([
  ['nothing of a store on a volume', [{ encryption: true }, true], []],
  ['where it is', [{ store, encryption: true }, false], [/still there, under \/shop\.$/]],
  ['whose etcd it is', [{ etcdSecret: 'own' }, false], [/in the etcd of Secret own is still there, under \/tenant\.$/]],
  ['where it is, in the clear', [{ store, encryption: false }, true], [/still there, under \/shop\.$/]],
  ['that no key opens it any more', [{ store, encryption: true }, true], [/\/shop, and cannot be read any more/]],
])('an uninstallation reports %s', (_, [choices, deleteData], lines) => {
  expect(leftInStore(choices, deleteData)).toEqual(lines.map((line) => expect.stringMatching(line)))
})

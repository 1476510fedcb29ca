import { describe, expect, it } from 'vitest'
import type { Sighting } from './key-values.ts'
import { isMeant } from './meant-places.ts'
import type { Place } from './place.ts'

const keys = '/apis/management.platform.internal/v1/ownedaccesskeys'
const secrets = '/api/v1/namespaces/default/secrets'
const plain = { origin: 'minted', encoding: 'plain', id: 'tpk_0', at: 0 } as const
const brought = { ...plain, origin: 'brought' } as const
const proof = { ...plain, origin: 'proof' } as const
const refresh = { ...plain, origin: 'refresh' } as const
const encodedProof = { ...proof, encoding: 'base64' } as const
const instance = '/apis/management.platform.internal/v1/namespaces/p-a/virtualclusterinstances/dev'
const encoded = { ...plain, encoding: 'base64' } as const
const answer = (method: string, path: string): Place => ({ at: 'answer', method, path })
const output = (...command: readonly string[]): Place => ({ at: 'output', command, stream: 'stdout' })
const errors = (...command: readonly string[]): Place => ({ at: 'output', command, stream: 'stderr' })
const protobuf = (method: string, path: string): Place => ({ at: 'answer', method, path, isProtobuf: true })
const file = (path: string, more: object = {}): Place => ({ at: 'file', path, isPrivate: true, ...more })

describe('the value of a key', () => {
  it.each<[string, Place, Sighting]>([
    ['the answer that makes it', answer('POST', keys), plain],
    ['the answer that makes it for a user', answer('POST', '/x/v1/users/ann/accesskeys'), plain],
    ['the answer that rotates it', answer('POST', `${keys}/a/rotate`), plain],
    ['the answer to who sets it', answer('PATCH', `${keys}/a`), brought],
    ['a Secret', answer('GET', `${secrets}/a`), encoded],
    ['a Secret as protobuf, where bytes are as they are', protobuf('POST', secrets), plain],
    ['Secrets of another cluster', answer('GET', `/kubernetes/cluster/a${secrets}`), encoded],
    ['the output of the command that makes it', output('tenant', 'platform', 'keys', 'create'), plain],
    ['the output of kubectl that makes it', output('kubectl', 'create', '-o', 'yaml'), plain],
    ['the output of kubectl that reads a Secret', output('kubectl', 'get', 'secret', 'a', '-o', 'json'), encoded],
    ['a kubeconfig that is asked for', output('tenant', 'connect', 'a', '--print', '--static-key'), plain],
    ['what kubectl gets of its plugin', output('tenant', 'token', 'a'), plain],
    ['the answer that makes one for a connection', answer('POST', '/x/v1/connectionkeys'), plain],
    ['a file that a user keeps it in', file('home/ci.key'), plain],
    ['the draft of that file', file('data/admin.key.draft'), plain],
    ['the output of a platform that starts', output('node', 'main.js', 'platform', 'serve', '--port', '0'), plain],
    ['the output of tenant up', output('node', 'main.js', 'up'), plain],
    [
      'the output of a platform that ends with its tests',
      output('setpriv', '--', 'node', '/dist/cli/main.js', 'up'),
      plain,
    ],
    ['a file that the output of a first start goes to', file('home/first.log'), plain],
    ['the output of a reset', output('tenant', 'platform', 'admin', 'reset'), plain],
    ['a kubeconfig', file('home/.kube/config', { content: 'kubeconfig' }), plain],
    ['the credentials of a user who has logged in', file('home/.tenant/config.json'), plain],
    ['a stored Secret', file('store/data.mdb', { content: 'secrets' }), encoded],
    ['the answer that an application gets tokens in', answer('POST', '/oidc/token'), refresh],
    ['the answer to who registers', answer('POST', `${instance}/register`), proof],
    ['the response that reissues a proof', answer('POST', `${instance}/reissue`), proof],
    ['the Secret that holds a proof', answer('GET', `${secrets}/a`), encodedProof],
    ['the output of the command that reissues a proof', output('tenant', 'platform', 'reissue'), encodedProof],
  ])('is allowed in %s', (_, place, sighting) => {
    expect(isMeant(place, sighting)).toBe(true)
  })

  it.each<[string, Place, Sighting]>([
    ['the answer to who reads it', answer('GET', `${keys}/a`), plain],
    ['a list of keys', answer('GET', keys), plain],
    ['a list of keys, as a refresh token', answer('GET', keys), refresh],
    ['what an application asks of it', answer('POST', '/oidc/introspect'), refresh],
    ['a file, as a refresh token', file('home/ci.key'), refresh],
    ['the answer to a change, when it was minted', answer('PATCH', `${keys}/a`), plain],
    ['the answer that ends it', answer('DELETE', `${keys}/a`), plain],
    ['the answer that starts a session with it', answer('POST', '/auth/session'), plain],
    ['Events', answer('GET', '/api/v1/namespaces/default/events'), plain],
    ['metrics', answer('GET', '/metrics'), plain],
    ['another object as protobuf', protobuf('POST', '/api/v1/namespaces/default/configmaps'), plain],
    ['the plain text of a Secret', answer('GET', `${secrets}/a`), plain],
    ['other objects, encoded', answer('GET', '/api/v1/namespaces/default/configmaps/a'), encoded],
    ['the answer that makes it, encoded', answer('POST', keys), encoded],
    ['compressed answers', { at: 'compressed answer' }, plain],
    ['what tenants are asked', { at: 'call over a link', method: 'GET', path: '/api' }, plain],
    ['the output of other commands', output('tenant', 'platform', 'keys', 'list'), plain],
    ['the output of connect', output('tenant', 'connect', 'a'), plain],
    ['a kubeconfig without a key', output('tenant', 'connect', 'a', '--print'), plain],
    ['the output of kubectl that reads others', output('kubectl', 'get', 'configmaps', '-o', 'json'), encoded],
    ['the output of kubectl that reads it', output('kubectl', 'get', '-o', 'yaml'), plain],
    ['the output of a command about a thing of that name', output('tenant', 'platform', 'keys', 'list', 'up'), plain],
    ['what a reset says beside it', errors('tenant', 'platform', 'admin', 'reset'), plain],
    ['a log of a first start that others may read', file('home/first.log', { isPrivate: false }), plain],
    ['what a platform says beside it', errors('node', 'main.js', 'platform', 'serve', '--port', '0'), plain],
    ['a file for it that others may read', file('home/ci.key', { isPrivate: false }), plain],
    ['a kubeconfig that others may read', file('config', { content: 'kubeconfig', isPrivate: false }), plain],
    ['a log', { at: 'log' }, plain],
    ['a log, as a proof', { at: 'log' }, proof],
    ['the virtual cluster that it proves', answer('GET', instance), proof],
    ['the answer to who changes that', answer('PATCH', instance), proof],
    ['the answer that makes a key, as a proof', answer('POST', keys), proof],
    ['the output of the command that makes a key, as a proof', output('tenant', 'keys', 'create'), proof],
    ['a stored virtual cluster', file('store/data.mdb', { content: 'virtualclusterinstances' }), proof],
    ['a file for keys, as a proof', file('home/.tenant/config.json'), proof],
    ['an audit log', file('audit.log'), plain],
    ['a stored key', file('store/data.mdb', { content: 'ownedaccesskeys' }), encoded],
    ['a stored Secret that others may read', file('data.mdb', { content: 'secrets', isPrivate: false }), encoded],
    ['credentials that others may read', file('home/.tenant/config.json', { isPrivate: false }), plain],
  ])('is forbidden in %s', (_, place, sighting) => {
    expect(isMeant(place, sighting)).toBe(false)
  })
})

import { expect, it } from 'vitest'
import { ownImage } from '../../base/own-image.ts'
import type { Manifest } from '../host/manifest.ts'
import { imageByDefault } from './image-choice.ts'

const fromConfig = 'controlPlane: {image: "r.example.com:5000/tenant:1"}'

function before(image: string, config = '{}'): readonly Manifest[] {
  const data = { 'tenant.yaml': Buffer.from(config).toString('base64') }
  const spec = { template: { spec: { containers: [{ name: 'tenant', image }] } } }
  return [
    { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'tenant-shop-config' }, data },
    { apiVersion: 'apps/v1', kind: 'StatefulSet', metadata: { name: 'shop' }, spec },
  ]
}

it.each<[string, readonly Manifest[], string]>([
  ['of this version where there is none yet', [], ownImage()],
  ['of this version in place of another version', before('localhost/tenant-platform:0.0.1'), ownImage()],
  ['as it was chosen', before('r.example.com:5000/tenant:1'), 'r.example.com:5000/tenant:1'],
  ['as it was chosen, by its digest', before('r.example.com/tenant@sha256:ab'), 'r.example.com/tenant@sha256:ab'],
  [
    'of this version where tenant.yaml has named another',
    before('r.example.com:5000/tenant:1', fromConfig),
    ownImage(),
  ],
])('the image of an upgrade is %s', (_, manifests, image) => {
  expect(imageByDefault('shop', manifests)).toBe(image)
})

import { describe, expect, it } from 'vitest'
import type { Manifest } from '../manifest.ts'
import { imageChangeOf } from './image-change.ts'

interface Wanted {
  readonly images?: readonly string[]
  readonly replicas?: number
  readonly memory?: string
  readonly name?: string
}

function manifests({
  images = ['a:1'],
  replicas = 1,
  memory = '1Gi',
  name = 'demo',
}: Wanted = {}): readonly Manifest[] {
  const metadata = { name, namespace: 'team' }
  const containers = images.map((image, index) => ({ name: `c${index}`, image, resources: { limits: { memory } } }))
  return [
    { apiVersion: 'v1', kind: 'Service', metadata },
    { apiVersion: 'apps/v1', kind: 'StatefulSet', metadata, spec: { replicas, template: { spec: { containers } } } },
  ]
}

describe('of a StatefulSet with one Pod', () => {
  it.each<[string, Wanted, Wanted, Readonly<Record<string, string>> | undefined]>([
    ['another image', {}, { images: ['a:2'] }, { c0: 'a:2' }],
    ['one of two images', { images: ['a:1', 'b:1'] }, { images: ['a:1', 'b:2'] }, { c1: 'b:2' }],
    ['nothing', {}, {}, undefined],
    ['another setting', {}, { memory: '2Gi' }, undefined],
    ['an image and another setting', {}, { images: ['a:2'], memory: '2Gi' }, undefined],
    ['one more container', {}, { images: ['a:2', 'b:1'] }, undefined],
    ['another name', {}, { images: ['a:2'], name: 'other' }, undefined],
    ['the images of several Pods', { replicas: 3 }, { replicas: 3, images: ['a:2'] }, undefined],
  ])('%s is changed', (_, before, after, images) => {
    expect(imageChangeOf(manifests(before), manifests(after))?.images).toEqual(images)
  })

  it('nothing is changed if it is new', () => {
    expect(imageChangeOf([], manifests())).toBeUndefined()
  })
})

import { expect, it } from 'vitest'
import { imageTag } from './image-tag.ts'

const sum = 'a'.repeat(64)

it.each([
  ['nginx', 'latest'],
  ['nginx:1.27', '1.27'],
  ['localhost:5000/a/b', 'latest'],
  ['localhost:5000/a/b:x', 'x'],
  ['Registry/a', 'latest'],
  ['[::1]:5000/a', 'latest'],
  [`nginx@sha256:${sum}`, undefined],
  [`nginx:latest@sha256:${sum}`, 'latest'],
  ['nginx@sha256:abc', undefined],
  [sum, undefined],
  ['Nginx', undefined],
  ['Bad Value!', undefined],
  ['a//b', undefined],
  ['/abs', undefined],
  ['', undefined],
  ['x'.repeat(247), 'latest'],
  ['x'.repeat(248), undefined],
])('the tag of %j is %j', (image, tag) => {
  expect(imageTag(image)).toBe(tag)
})

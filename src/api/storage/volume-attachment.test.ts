import { expect, it } from 'vitest'
import { errorTexts, previewCreate } from '../../../tests/support/strategy-steps.ts'
import { volumeAttachment } from './volume-attachment.ts'

const metadata = { name: 'a' }
const spec = { attacher: 'example.com', nodeName: 'n', source: { persistentVolumeName: 'v' } }
const exactlyOne = 'must specify exactly one of inlineVolumeSpec and persistentVolumeName'
const noSubdomain = (field: string) => expect.stringContaining(`${field}: Invalid value: "": a lowercase RFC 1123`)

it.each([
  [spec, []],
  [
    {},
    [
      'spec.attacher: Required value',
      `spec.source: Required value: ${exactlyOne}`,
      noSubdomain('spec.nodeName'),
      'spec.attacher: Required value',
      noSubdomain('spec.attacher'),
    ],
  ],
  [{ ...spec, source: { persistentVolumeName: 'v', inlineVolumeSpec: {} } }, [`spec.source: Forbidden: ${exactlyOne}`]],
  [
    { ...spec, source: { persistentVolumeName: '' } },
    [
      'spec.source.persistentVolumeName: Required value: must specify non empty persistentVolumeName',
      noSubdomain('spec.source.persistentVolumeName'),
    ],
  ],
])('a VolumeAttachment has required fields: %j', (each, errors) => {
  expect(errorTexts(previewCreate(volumeAttachment, { metadata, spec: each }))).toEqual(errors)
})

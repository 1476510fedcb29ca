import { expect, it } from 'vitest'
import type { Volume } from '../../types/core-v1.ts'
import { validateVolumes } from './volume-validation.ts'

const several: readonly (readonly [Omit<Volume, 'name'>, readonly string[]])[] = [
  [{ configMap: { name: 'c' }, secret: { secretName: 's' } }, ['volumes[0].configMap']],
  [{ secret: { secretName: 's' }, emptyDir: {} }, ['volumes[0].secret']],
  [{ csi: { driver: 'd' }, projected: { sources: null }, downwardAPI: {} }, ['volumes[0].projected', 'volumes[0].csi']],
  [{ downwardAPI: {}, nfs: { server: 's', path: '/' } }, ['volumes[0].downwarAPI']],
]

it.each(several)(
  'a volume with several types reports all but the first that Kubernetes checks: %j',
  (sources, refused) => {
    const { errors: found } = validateVolumes('volumes', [{ name: 'v', ...sources }])
    expect(found.map(({ field }) => field)).toEqual(refused)
    expect(found.every(({ message }) => message === 'Forbidden: may not specify more than 1 volume type')).toBe(true)
  },
)

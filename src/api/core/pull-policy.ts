import { imageTag } from './image-tag.ts'

/** An image without a tag or digest means its `latest`, which may be another one every day. */
export function pullPolicyOf(image: string): 'Always' | 'IfNotPresent' {
  return imageTag(image) === 'latest' ? 'Always' : 'IfNotPresent'
}

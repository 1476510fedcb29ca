import { imageTag } from './image-tag.ts'

/** An image without a tag or digest means its `latest`, which may change every day. */
export function pullPolicyOf(image: string): 'Always' | 'IfNotPresent' {
  return imageTag(image) === 'latest' ? 'Always' : 'IfNotPresent'
}

/** What to do about a key that the platform refuses, by the reported cause. `another`: how to use another key. */
export function remedyFor(cause: string, another: string): string {
  switch (cause) {
    case 'KeyDisabled':
      return 'its owner or an administrator can enable it again: tenant platform keys enable NAME'
    case 'KeyExpired':
      return another
    case 'OwnerLocked':
      return 'an administrator of the platform can unlock its owner'
    default:
      return `the platform does not know it: it may be mistyped, deleted, rotated, or of another platform; ${another}`
  }
}

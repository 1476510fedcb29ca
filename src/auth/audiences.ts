/** The wanted audiences that the token is meant for. */
export function sharedAudiences(wanted: readonly string[], meantFor: readonly string[]): readonly string[] {
  return wanted.filter((audience) => meantFor.includes(audience))
}

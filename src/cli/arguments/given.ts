/** Members that are absent instead of undefined. */
type Given<T> = { readonly [K in keyof T]?: Exclude<T[K], undefined> }

/** Drops undefined members: a flag that was not given leaves no trace. */
export function given<T extends object>(members: T): Given<T> {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as Given<T>
}

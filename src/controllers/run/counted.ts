/** A number in a status. Kubernetes omits zero. */
export function counted<Name extends string>(name: Name, count: number): { readonly [member in Name]?: number } {
  return (count === 0 ? {} : { [name]: count }) as { readonly [member in Name]?: number }
}

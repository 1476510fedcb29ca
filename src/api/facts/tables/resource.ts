/** k8s.io.apimachinery.pkg.api.resource */
export const resource = `
Quantity as quantity
  1 string: string
`

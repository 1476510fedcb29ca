/** k8s.io.apimachinery.pkg.util.intstr */
export const intstr = `
IntOrString as int-or-string
  1 type: int64
  2 intVal: int32
  3 strVal: string
`

/** k8s.io.apimachinery.pkg.runtime */
export const runtime = `
RawExtension as raw-json
  1 raw: bytes

TypeMeta
  1 apiVersion: string
  2 kind: string

Unknown
  1 typeMeta: TypeMeta
  2 raw: bytes
  3 contentEncoding: string
  4 contentType: string
`

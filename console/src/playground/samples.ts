/** Initial objects, one for each kind that is synced by default. */
export const samples = [
  {
    resource: 'endpoints',
    object: `apiVersion: v1
kind: Endpoints
metadata:
  name: database
  namespace: shop
  annotations:
    example.com/region: eu-1
    example.com/upstream: database.shop.svc.cluster.local
subsets:
- addresses:
  - ip: 10.0.0.7
    hostname: primary
  ports:
  - name: postgres
    port: 5432
`,
  },
  {
    resource: 'services',
    object: `apiVersion: v1
kind: Service
metadata:
  name: web
  namespace: shop
  labels:
    app: web
spec:
  ports:
  - name: http
    port: 80
    targetPort: 8080
`,
  },
  {
    resource: 'configMaps',
    object: `apiVersion: v1
kind: ConfigMap
metadata:
  name: settings
  namespace: shop
data:
  upstream: database.shop.svc.cluster.local
  mode: production
`,
  },
  {
    resource: 'secrets',
    object: `apiVersion: v1
kind: Secret
metadata:
  name: login
  namespace: shop
type: Opaque
data:
  user: YWRtaW4=
`,
  },
] as const

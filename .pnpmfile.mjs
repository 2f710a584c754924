// What is packed differs from what stands in the checkout: sources are not published, so neither is the condition that leads to them.
const CHECKOUT_ONLY = 'mnemark-source'

function withoutCondition(target) {
  if (typeof target !== 'object' || target === null || Array.isArray(target)) return target
  const kept = Object.entries(target).filter(([condition]) => condition !== CHECKOUT_ONLY)
  return Object.fromEntries(kept.map(([key, value]) => [key, withoutCondition(value)]))
}

export const hooks = {
  beforePacking({ scripts: _scripts, devDependencies: _devDependencies, ...manifest }) {
    for (const field of ['exports', 'imports']) {
      if (manifest[field] !== undefined) manifest[field] = withoutCondition(manifest[field])
    }
    return manifest
  },
}

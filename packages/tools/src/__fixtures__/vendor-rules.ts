// The rules of three vendors for the input of a tool, from their documentation: OpenAI "Structured outputs, supported schemas"
// and "Function calling, strict mode"; Gemini API "Schema" of function declarations; Claude "Tool use, input_schema" and its
// strict mode. As of November 2026.

type Schema = Readonly<Record<string, unknown>>

const isSchema = (value: unknown): value is Schema => typeof value === 'object' && value !== null && !Array.isArray(value)

/** Yields each schema in it with its place. */
function* schemasIn(schema: Schema, place = 'input'): Generator<readonly [string, Schema]> {
  yield [place, schema]
  const { properties, items } = schema
  if (isSchema(items)) yield* schemasIn(items, `${place}[]`)
  for (const [name, member] of Object.entries(isSchema(properties) ? properties : {})) {
    if (isSchema(member)) yield* schemasIn(member, `${place}.${name}`)
  }
}

function unknownKeywords(schema: Schema, known: readonly string[]): readonly string[] {
  return [...schemasIn(schema)].flatMap(([place, one]) =>
    Object.keys(one)
      .filter((keyword) => !known.includes(keyword))
      .map((keyword) => `${place}: ${keyword}`),
  )
}

/**
 * OpenAI, strict: every property required, no others, types may include `null`; only keywords that constrained decoding supports.
 */
export function openAIStrictProblems(schema: Schema): readonly string[] {
  const shapes = [...schemasIn(schema)].flatMap(([place, one]) => {
    if (one['type'] !== 'object') return []
    const names = Object.keys(isSchema(one['properties']) ? one['properties'] : {})
    const required: readonly unknown[] = Array.isArray(one['required']) ? one['required'] : []
    return [
      ...names.filter((name) => !required.includes(name)).map((name) => `${place}: ${name} is not required`),
      ...(one['additionalProperties'] === false ? [] : [`${place}: additionalProperties is not false`]),
    ]
  })
  const known = ['type', 'description', 'properties', 'required', 'additionalProperties', 'items', 'enum', 'anyOf']
  return [...unknownKeywords(schema, known), ...shapes]
}

/** Gemini: one type for each schema, only keywords of its subset of OpenAPI, and `items` for every list. */
export function geminiProblems(schema: Schema): readonly string[] {
  const known = ['type', 'description', 'properties', 'required', 'items', 'enum', 'nullable', 'minItems', 'maxItems']
  const types = ['object', 'array', 'string', 'integer', 'number', 'boolean']
  const shapes = [...schemasIn(schema)].flatMap(([place, one]) => [
    ...(types.includes(String(one['type'])) && typeof one['type'] === 'string' ? [] : [`${place}: type`]),
    ...(one['type'] === 'array' && !isSchema(one['items']) ? [`${place}: items`] : []),
  ])
  return [...unknownKeywords(schema, known), ...shapes]
}

/** Claude: an object at the top without alternatives, plain names, no bounds; `additionalProperties`, if present, is false. */
export function claudeProblems(schema: Schema): readonly string[] {
  const known = ['type', 'description', 'properties', 'required', 'additionalProperties', 'items', 'enum']
  const names = Object.keys(isSchema(schema['properties']) ? schema['properties'] : {})
  return [
    ...unknownKeywords(schema, known),
    ...(schema['type'] === 'object' ? [] : ['input: type is not object']),
    ...names.filter((name) => !/^[\w.-]{1,64}$/u.test(name)).map((name) => `input: the name ${name}`),
    ...[...schemasIn(schema)].filter(([, one]) => (one['additionalProperties'] ?? false) !== false).map(([place]) => place),
  ]
}

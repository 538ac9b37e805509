/** The functions of the query tools. Each asks the graph of the service that includes them, as it is at that moment. */

export function queryGraph({ sparql }, { query }) {
  return query(sparql);
}

/** Rows that are listed of one node; the rest is found with a query. */
const mostRows = 500;

export async function describeNode({ iri }, { query }) {
  const [says, referring] = await Promise.all([
    query(`SELECT ?property ?value WHERE { ?node ?property ?value } ORDER BY ?property ?value LIMIT ${mostRows}`, {
      node: { iri },
    }),
    query(
      `SELECT ?subject ?property WHERE { ?subject ?property ?node } ORDER BY ?subject ?property LIMIT ${mostRows}`,
      {
        node: { iri },
      },
    ),
  ]);
  return { iri, says: says.bindings, referredToBy: referring.bindings };
}

export async function findTools({ skill }, { query }) {
  const { bindings } = await query(
    `SELECT ?tool ?id ?title ?description (GROUP_CONCAT(DISTINCT ?name; separator=", ") AS ?skills) WHERE {
      ?tool a tg:Tool ; dcterms:identifier ?id ; dcterms:title ?title ; dcterms:description ?description ; tg:satisfies ?satisfied .
      BIND(REPLACE(STR(?satisfied), "^.*/", "") AS ?name)
      FILTER NOT EXISTS { ?tool tg:tier "internal" }
      ${skill === undefined ? '' : '?tool tg:satisfies ?wanted . FILTER(REPLACE(STR(?wanted), "^.*/", "") = ?skill)'}
    } GROUP BY ?tool ?id ?title ?description ORDER BY ?id`,
    skill === undefined ? {} : { skill },
  );
  return bindings.map(({ tool, id, title, description, skills }) => ({
    iri: tool.value,
    ...{ id: id.value, title: title.value, description: description.value, skills: skills.value.split(', ') },
  }));
}

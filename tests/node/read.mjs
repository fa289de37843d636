// Read an export from standard input with the program that its users have; print what it holds as JSON.
import { readFileSync } from "node:fs";

const text = readFileSync(0, "utf8");

const readers = {
  graphml: async () => fromGraphology((await import("graphology-graphml")).default.parse),
  gexf: async () => fromGraphology((await import("graphology-gexf")).default.parse),
  cytoscape: async () => {
    const cytoscape = (await import("cytoscape")).default;
    const graph = cytoscape({ headless: true, elements: JSON.parse(text).elements });
    return {
      nodes: graph.nodes().map((node) => [node.id(), node.data("label")]),
      edges: graph.edges().map((edge) => [edge.id(), edge.source().id(), edge.target().id(), edge.data("label")]),
    };
  },
  turtle: async () => quads("text/turtle"),
  trig: async () => quads("application/trig"),
  ntriples: async () => quads("application/n-triples"),
  mermaid: async () => {
    const { JSDOM } = await import("jsdom");
    globalThis.window = new JSDOM("").window;
    globalThis.document = globalThis.window.document;
    const mermaid = (await import("mermaid")).default;
    await mermaid.parse(text);
    const database = (await mermaid.mermaidAPI.getDiagramFromText(text)).db;
    return {
      nodes: [...database.getVertices().values()].map((node) => [node.id, node.text]),
      edges: database.getEdges().map((edge) => ["", edge.start, edge.end, edge.text]),
    };
  },
};

async function fromGraphology(parse) {
  const { MultiDirectedGraph } = await import("graphology");
  const graph = parse(MultiDirectedGraph, text);
  return {
    nodes: graph.mapNodes((id, attributes) => [id, attributes.label]),
    edges: graph.mapEdges((id, attributes, source, target) => [id, source, target, attributes.label]),
  };
}

async function quads(format) {
  const { Parser } = await import("n3");
  return { count: new Parser({ format }).parse(text).length };
}

console.log(JSON.stringify(await readers[process.argv[2]]()));

// Renders a chart as Helm does, with the libraries that Helm uses: text/template, sprig, and YAML through JSON.
// Reads {"chart": folder, "cases": [...]} from the standard input, writes one result for each case to the standard output.
// Sub-charts, library charts and `helm lint` are not supported.
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"text/template"

	"github.com/Masterminds/sprig"
	"sigs.k8s.io/yaml"
)

type object = map[string]interface{}

type renderCase struct {
	Values    object   `json:"values"`
	Release   string   `json:"release"`
	Namespace string   `json:"namespace"`
	IsUpgrade bool     `json:"isUpgrade"`
	Objects   []object `json:"objects"`
}

type result struct {
	Values    object            `json:"values"`
	Templates map[string]string `json:"templates"`
	Notes     string            `json:"notes"`
	Error     string            `json:"error"`
}

type chart struct {
	meta      object
	defaults  []byte
	templates map[string]string
	files     files
}

type files map[string][]byte

func (f files) Get(name string) string     { return string(f[name]) }
func (f files) GetBytes(name string) []byte { return f[name] }
func (f files) Glob(pattern string) files {
	found := files{}
	for name, bytes := range f {
		if ok, _ := filepath.Match(pattern, name); ok {
			found[name] = bytes
		}
	}
	return found
}

type apiVersions []string

func (versions apiVersions) Has(wanted string) bool {
	for _, version := range versions {
		if version == wanted {
			return true
		}
	}
	return false
}

var known = apiVersions{"v1", "apps/v1", "batch/v1", "networking.k8s.io/v1", "autoscaling/v2", "policy/v1", "monitoring.coreos.com/v1"}

func readChart(folder string) (*chart, error) {
	c := &chart{templates: map[string]string{}, files: files{}}
	return c, filepath.Walk(folder, func(path string, info os.FileInfo, err error) error {
		if err != nil || info.IsDir() {
			return err
		}
		name, _ := filepath.Rel(folder, path)
		bytes, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		switch {
		case name == "Chart.yaml":
			return yaml.UnmarshalStrict(bytes, &c.meta)
		case name == "values.yaml":
			c.defaults = bytes
		case strings.HasPrefix(name, "templates/"):
			c.templates[name] = string(bytes)
		default:
			c.files[name] = bytes
		}
		return nil
	})
}

// A null removes a default, an object is merged with it, and anything else replaces it.
func merge(into, from object) object {
	for key, value := range from {
		if value == nil {
			delete(into, key)
			continue
		}
		inner, isObject := value.(object)
		old, wasObject := into[key].(object)
		if isObject && wasObject {
			into[key] = merge(old, inner)
		} else {
			into[key] = value
		}
	}
	return into
}

func toYaml(value interface{}) string {
	bytes, err := yaml.Marshal(value)
	if err != nil {
		return ""
	}
	return strings.TrimSuffix(string(bytes), "\n")
}

func metaOf(found object) object {
	meta, _ := found["metadata"].(object)
	return meta
}

func lookupIn(objects []object) func(string, string, string, string) (object, error) {
	return func(version, kind, namespace, name string) (object, error) {
		for _, one := range objects {
			meta := metaOf(one)
			if one["apiVersion"] == version && one["kind"] == kind && meta["namespace"] == namespace && meta["name"] == name {
				return one, nil
			}
		}
		return object{}, nil
	}
}

func functions(root *template.Template, one renderCase) template.FuncMap {
	all := sprig.TxtFuncMap()
	delete(all, "env")
	delete(all, "expandenv")
	all["getHostByName"] = func(string) string { return "" }
	all["toYaml"] = toYaml
	all["fromYaml"] = func(text string) object {
		value := object{}
		if err := yaml.Unmarshal([]byte(text), &value); err != nil {
			value["Error"] = err.Error()
		}
		return value
	}
	all["fromJson"] = func(text string) object {
		value := object{}
		if err := json.Unmarshal([]byte(text), &value); err != nil {
			value["Error"] = err.Error()
		}
		return value
	}
	all["toJson"] = func(value interface{}) string {
		bytes, _ := json.Marshal(value)
		return string(bytes)
	}
	all["include"] = func(name string, data interface{}) (string, error) {
		var text strings.Builder
		err := root.ExecuteTemplate(&text, name, data)
		return text.String(), err
	}
	all["tpl"] = func(source string, data interface{}) (string, error) {
		copied, err := root.Clone()
		if err != nil {
			return "", err
		}
		parsed, err := copied.New("tpl").Parse(source)
		if err != nil {
			return "", err
		}
		var text strings.Builder
		err = parsed.Execute(&text, data)
		return strings.ReplaceAll(text.String(), "<no value>", ""), err
	}
	all["required"] = func(message string, value interface{}) (interface{}, error) {
		if value == nil || value == "" {
			return nil, errors.New(message)
		}
		return value, nil
	}
	all["fail"] = func(message string) (string, error) { return "", errors.New(message) }
	all["lookup"] = lookupIn(one.Objects)
	return all
}

func render(c *chart, one renderCase) (out result) {
	out = result{Templates: map[string]string{}}
	values := object{}
	if err := yaml.UnmarshalStrict(c.defaults, &values); err != nil {
		return result{Error: err.Error()}
	}
	out.Values = merge(values, one.Values)
	root := template.New("chart").Option("missingkey=zero")
	root.Funcs(functions(root, one))
	names := make([]string, 0, len(c.templates))
	for name, source := range c.templates {
		if _, err := root.New(name).Parse(source); err != nil {
			return result{Error: err.Error()}
		}
		names = append(names, name)
	}
	sort.Strings(names)
	meta := object{"IsRoot": true}
	for key, value := range c.meta {
		meta[strings.ToUpper(key[:1])+key[1:]] = value
	}
	for _, name := range names {
		if strings.HasPrefix(filepath.Base(name), "_") {
			continue
		}
		var text strings.Builder
		data := object{
			"Values": out.Values, "Chart": meta, "Files": c.files,
			"Release":      object{"Name": one.Release, "Namespace": one.Namespace, "Service": "Helm", "IsInstall": !one.IsUpgrade, "IsUpgrade": one.IsUpgrade, "Revision": 1},
			"Capabilities": object{"KubeVersion": object{"Version": "v1.31.0", "Major": "1", "Minor": "31"}, "APIVersions": known},
			"Template":     object{"Name": name, "BasePath": "templates"},
		}
		if err := root.ExecuteTemplate(&text, name, data); err != nil {
			return result{Values: out.Values, Error: err.Error()}
		}
		shown := strings.TrimSpace(strings.ReplaceAll(text.String(), "<no value>", ""))
		if name == "templates/NOTES.txt" {
			out.Notes = shown
		} else if shown != "" {
			out.Templates[name] = shown
		}
	}
	return out
}

func main() {
	var asked struct {
		Chart string       `json:"chart"`
		Cases []renderCase `json:"cases"`
	}
	err := json.NewDecoder(os.Stdin).Decode(&asked)
	var c *chart
	if err == nil {
		c, err = readChart(asked.Chart)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	results := make([]result, 0, len(asked.Cases))
	for _, one := range asked.Cases {
		results = append(results, render(c, one))
	}
	json.NewEncoder(os.Stdout).Encode(results)
}
